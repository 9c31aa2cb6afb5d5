// Runs before the first paint, so that a chosen theme does not flash. No module, because modules run later.
(() => {
  let theme = "";
  try {
    theme = JSON.parse(localStorage.getItem("magnate.settings") || "{}").theme || "";
  } catch {
    // Storage may be forbidden or spoilt; then the system's theme it is.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
