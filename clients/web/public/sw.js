// Keeps the page for times without a connection. Hashed files come from the cache, pages from the network first.
const CACHE = "photofinish-1";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["/", "/manifest.webmanifest", "/icon.svg"])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(keys.filter((key) => key !== CACHE).map((key) => caches.delete(key))))
      .then(() => self.clients.claim()),
  );
});

const keep = async (request, answer) => {
  if (answer.ok && answer.type === "basic") await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/rooms")) return;
  if (url.pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request).then((answer) => keep(request, answer))));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).then((answer) => keep("/", answer), async () => (await caches.match("/")) ?? Response.error()));
  } else {
    event.respondWith(fetch(request).then((answer) => keep(request, answer), async () => (await caches.match(request)) ?? Response.error()));
  }
});
