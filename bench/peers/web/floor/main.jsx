// The floor: the four libraries every page of ours stands on, and a form without style.
import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Route, Routes, useNavigate } from "react-router-dom";

function SignIn() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const signIn = useMutation({
    mutationFn: (body) => fetch("/api/v1/sign-in/username-password", { method: "POST", body }),
    onSuccess: () => navigate("/"),
  });
  const submit = (event) => {
    event.preventDefault();
    signIn.mutate(JSON.stringify({ username, password }));
  };
  return (
    <main>
      <h1>King of Fans</h1>
      <p>Get Connected Get Rewarded</p>
      <form onSubmit={submit}>
        <label>
          Email <input value={username} onChange={(event) => setUsername(event.target.value)} />
        </label>
        <label>
          Password
          <input
            type="password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        <button type="submit">{signIn.isPending ? "Loading..." : "Login"}</button>
      </form>
      <Link to="/signup">Sign up</Link>
    </main>
  );
}

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <BrowserRouter>
        <Routes>
          <Route path="*" element={<SignIn />} />
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
