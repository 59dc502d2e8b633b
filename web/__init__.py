"""What turns `calc` and the lectures into a site."""
