// On the page of addresses that do not exist: that page cannot know how deep it is asked for, so it asks for this script on
// every level, and where it is found, there is the site.
{
  const site = new URL("../", document.currentScript.src);
  for (const link of document.querySelectorAll("a[data-place]")) link.href = new URL(link.dataset.place, site).href;
}
