// The peer on Socket.IO: a chat room that stores a message before broadcasting it, behind our token.
import { createSecretKey, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import jwt from "jsonwebtoken";
import pg from "pg";
import { Server } from "socket.io";

const ROOM = "public";
const MAX_MESSAGE_LENGTH = 1000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const OPTIONS = { algorithms: ["HS256"], audience: "fanclub-api", issuer: "king-of-fans" };
const SEAT = {
  name: "seat",
  text: `SELECT u.first_name, u.last_name, u.avatar
           FROM session s JOIN user_account u ON u.id = s.user_id
          WHERE s.id = $1 AND u.id = $2 AND s.expires_at > now()`,
};
const POST = {
  name: "post",
  text: `INSERT INTO bench_chat_message (id, user_id, client_id, content, sent_at)
         VALUES ($1, $2, $3, $4, now()) RETURNING seq, sent_at`,
};

const pool = new pg.Pool({ max: 10 });
// As a string the key would be parsed for every token, which costs 340 µs each.
const key = createSecretKey(Buffer.from(process.env.TOKEN_KEY));
const http = createServer((_request, response) => response.end("alive"));
const chat = new Server(http, { transports: ["websocket"], serveClient: false }).of("/chat");

chat.use(async (socket, next) => {
  try {
    const claims = jwt.verify(socket.handshake.auth.token, key, OPTIONS);
    const { rows } = await pool.query({ ...SEAT, values: [claims.sid, claims.sub] });
    if (rows.length === 0) throw new Error("no session");
    socket.data = { userId: claims.sub, ...rows[0] };
    next();
  } catch {
    next(new Error("User token is required."));
  }
});

function read(payload) {
  const { club, chat_message, client_id } = payload ?? {};
  if (club !== "Public" || typeof chat_message !== "string") return null;
  if (typeof client_id !== "string" || !UUID.test(client_id)) return null;
  const content = chat_message.trim();
  return content && content.length <= MAX_MESSAGE_LENGTH ? { content, client_id } : null;
}

chat.on("connection", (socket) => {
  const { userId, first_name, last_name, avatar } = socket.data;
  socket.join(ROOM);
  socket.on("message", async (payload, acknowledge) => {
    const message = read(payload);
    if (message === null) {
      acknowledge({ status: 422, message: "Please type a message", data: null, code: "validation_failed" });
      return;
    }
    const { content, client_id } = message;
    const id = randomUUID();
    const { rows } = await pool.query({ ...POST, values: [id, userId, client_id, content] });
    const seq = Number(rows[0].seq);
    const time = rows[0].sent_at.getTime();
    chat.to(ROOM).emit("message", {
      id,
      seq,
      client_id,
      user_id: userId,
      club: "Public",
      chat_message: content,
      firstname: first_name,
      lastname: last_name,
      avatar,
      time,
      reply_to: null,
      mentions: [],
      reactions: {},
    });
    acknowledge({ status: 200, message: "OK", data: { id, seq, time }, code: null });
  });
});

http.listen(Number(process.env.PORT), "127.0.0.1");
