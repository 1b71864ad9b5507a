// The limit: uWebSockets forwards everything to everyone. No token, no JSON, nothing stored.
import uWebSockets from "uwebsockets";

const ROOM = "public";
const app = uWebSockets.App();

app.get("/healthz", (response) => response.end("alive"));
app.ws("/*", {
  open: (socket) => socket.subscribe(ROOM),
  message: (_socket, text, isBinary) => app.publish(ROOM, text, isBinary),
});
app.listen("127.0.0.1", Number(process.env.PORT), (listening) => {
  if (!listening) process.exit(1);
});
