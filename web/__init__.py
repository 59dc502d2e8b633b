"""The modules that turn `calc` and the lectures into a site."""
