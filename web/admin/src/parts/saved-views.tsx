import { X } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router-dom";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { TextField } from "@/components/text-field";
import { OPERATOR_VIEWS } from "@/lib/device/operator-tab";
import { isRecord, storedValue } from "@/lib/device/storage";
import { useOperator } from "~/api/operator";

const MAX_NAME_LENGTH = 40;

interface View {
  /** Saved views are private to the operator: searches are sensitive. */
  operator: string;
  path: string;
  name: string;
  search: string;
}

/** Filters saved under a name on this device. */
const views = storedValue<View[]>(OPERATOR_VIEWS, (stored) =>
  Array.isArray(stored) ? stored.filter(isView) : null,
);

function isView(stored: unknown): stored is View {
  return (
    isRecord(stored) &&
    ["operator", "path", "name", "search"].every((name) => typeof stored[name] === "string")
  );
}

/** The saved views of this list, after those of its screen, and a way to save the current one. */
export function SavedViews({ ready }: { ready?: ReactNode }) {
  const { pathname, search } = useLocation();
  const [isNaming, setIsNaming] = useState(false);
  const all = useSyncExternalStore(views.subscribe, views.read) ?? [];
  const { id: operator } = useOperator();
  const isHere = (view: View) => view.operator === operator && view.path === pathname;
  const here = all.filter(isHere);
  const isKept = here.some((view) => view.search === search);
  if (here.length === 0 && search === "" && !ready) {
    return null;
  }
  return (
    <nav className="views" aria-label="Saved views">
      {ready}
      {here.map((view) => (
        <span key={view.name} className="view">
          <Link to={{ pathname, search: view.search }}>{view.name}</Link>
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => views.write(all.filter((other) => other !== view))}
          >
            <X aria-hidden="true" />
          </button>
        </span>
      ))}
      {search === "" || isKept ? null : (
        <Button variant="quiet" onClick={() => setIsNaming(true)}>
          Save this view
        </Button>
      )}
      {isNaming ? (
        <NameView
          onClose={() => setIsNaming(false)}
          onNamed={(name) => {
            const others = all.filter((view) => !isHere(view) || view.name !== name);
            views.write([...others, { operator, path: pathname, name, search }]);
            setIsNaming(false);
          }}
        />
      ) : null}
    </nav>
  );
}

function NameView({ onClose, onNamed }: { onClose: () => void; onNamed: (name: string) => void }) {
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const onSubmit = () => {
    if (name.trim() === "") {
      setError("Give it a name");
    } else {
      onNamed(name.trim());
    }
  };
  return (
    <Modal
      header="Save this view"
      submitText="Save"
      onSubmit={onSubmit}
      onClose={onClose}
      content={
        <TextField
          label="Name"
          maxLength={MAX_NAME_LENGTH}
          value={name}
          error={error}
          onChange={setName}
        />
      }
    />
  );
}
