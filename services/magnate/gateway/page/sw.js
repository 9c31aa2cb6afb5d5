// Keeps the page's own files, so that it opens without a network: what was pressed then waits and is sent later. The network
// is asked first, so a new release is seen at once; calls of the API are never kept.

const VERSION = "1";
const CACHE = `magnate-shell-${VERSION}`;
const PATIENCE_MS = 3000;
const SHELL = [
  "./",
  "manifest.webmanifest",
  "style/base.css",
  "style/unit.css",
  "style/views.css",
  "style/game.css",
  "i18n/en.json",
  "i18n/fr.json",
  "i18n/ru.json",
  "icons/icon.svg",
  "icons/icon-180.png",
  "icons/icon-192.png",
  "icons/icon-512.png",
  "icons/icon-maskable-512.png",
  "js/announce.js",
  "js/api.js",
  "js/bar.js",
  "js/connect.js",
  "js/dialog.js",
  "js/dom.js",
  "js/follow.js",
  "js/i18n.js",
  "js/icons.js",
  "js/live.js",
  "js/main.js",
  "js/money.js",
  "js/outbox.js",
  "js/qr.js",
  "js/sales.js",
  "js/settings.js",
  "js/sounds.js",
  "js/theme.js",
  "js/vault.js",
  "js/game/clock.js",
  "js/game/live.js",
  "js/game/read.js",
  "js/game/teller.js",
  "js/unit/board.js",
  "js/unit/card.js",
  "js/unit/display.js",
  "js/unit/drag.js",
  "js/unit/keys.js",
  "js/unit/touch.js",
  "js/unit/unit.js",
  "js/views/auction.js",
  "js/views/auctions.js",
  "js/views/banker.js",
  "js/views/board.js",
  "js/views/cards.js",
  "js/views/ceiling.js",
  "js/views/chart.js",
  "js/views/game.js",
  "js/views/gameboard.js",
  "js/views/gameunit.js",
  "js/views/players.js",
  "js/views/saleform.js",
  "js/views/sales.js",
  "js/views/settings.js",
  "js/views/start.js",
];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOthers().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
  const ours = event.request.method === "GET" && url.origin === self.location.origin && SHELL.includes(path || "./");
  if (ours) event.respondWith(networkFirst(event.request));
});

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("magnate-shell-") && name !== CACHE).map((name) => caches.delete(name)),
  );
}

async function networkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}
