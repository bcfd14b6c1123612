// The documentation opens in the theme chosen in the studio; its own switch counts until that
// choice changes. Runs before the palette is applied, so that a dark page never flashes white.
(function () {
  try {
    const chosen = localStorage.getItem("mantine-color-scheme-value") || "auto";
    if (__md_get("studio-theme") === chosen) return;
    // By their order in mkdocs.yml.
    const palettes = {
      light: { index: 0, color: { scheme: "default" } },
      dark: { index: 1, color: { scheme: "slate" } },
    };
    __md_set("__palette", palettes[chosen] ?? null); // without one, the system decides
    __md_set("studio-theme", chosen);
  } catch {
    // Storage may be blocked; then the system's preference is the best guess.
  }
})();
