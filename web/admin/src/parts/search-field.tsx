import "@/components/field.css";
import { Search } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/**
 * The search for members, orders and payments; `/` focuses it. Where the header is narrow it is as
 * large as its icon until it has the focus, so that it never cuts the title.
 */
export function SearchField() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useSlashFocus(input);
  const shown = pathname === "/search" ? new URLSearchParams(search).get("q") : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") {
      void navigate(`/search?${new URLSearchParams({ q: text.trim() })}`);
      setText("");
    }
  };
  return (
    <search>
      <form className="icon-input" onSubmit={submit}>
        <Search aria-hidden="true" />
        <input
          ref={input}
          className="input"
          type="text"
          enterKeyHint="search"
          aria-label="Search members, orders and payments"
          aria-keyshortcuts="/"
          placeholder={shown ?? "Search ( / )"}
          maxLength={100}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    </search>
  );
}

function useSlashFocus(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof Element && target.matches("input, select, textarea");
      const isFree = document.querySelector("dialog[open]") === null;
      if (event.key === "/" && !isTyping && isFree && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        input.current?.focus();
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [input]);
}
