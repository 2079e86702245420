# Runs the bundle in the runtime of Cloudflare Workers: `TABLES=… workerd serve hono/workerd.capnp`
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [(name = "worker", esModule = embed "../out/hono/worker.mjs")],
      compatibilityDate = "2025-10-01",
      bindings = [(name = "TABLES", fromEnvironment = "TABLES")],
      globalOutbound = "network",
    )),
    # `private` includes the service on this machine.
    (name = "network", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
