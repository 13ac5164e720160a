// Copy buttons, and the version of an act on a day. Pages read and link without this file.
"use strict";
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    const label = button.textContent;
    button.textContent = "✓ " + label;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
const form = document.querySelector(".on-day");
const versions = document.querySelector(".timeline")?.children;
if (form && versions) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const day = form.querySelector("input").value;
    const found = [...versions].find((each) =>
      (each.dataset.from || each.dataset.until) &&
      (!each.dataset.from || each.dataset.from <= day) && (!each.dataset.until || day < each.dataset.until));
    const link = found && found.querySelector(":scope > a");
    if (link) location.href = link.href;
    else form.querySelector("output").textContent = found ? found.textContent.trim() : form.dataset.none;
  });
}
