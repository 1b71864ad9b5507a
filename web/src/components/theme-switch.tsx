import { Monitor, Moon, Sun } from "lucide-react";
import { useId, useSyncExternalStore } from "react";
import { chooseTheme, type Theme, themeChoice } from "@/lib/ui/theme";

const CHOICES = [
  { theme: "light", text: "Light", icon: Sun },
  { theme: "dark", text: "Dark", icon: Moon },
  { theme: "system", text: "Auto", icon: Monitor },
] as const;

/** Light, dark, or the system's setting. */
export function ThemeSwitch() {
  // Radio buttons of one name are exclusive on the whole page, and two switches may be visible.
  const name = useId();
  const chosen: Theme = useSyncExternalStore(themeChoice.subscribe, themeChoice.read) ?? "system";
  return (
    <fieldset className="theme-switch">
      <legend className="visually-hidden">Appearance</legend>
      {CHOICES.map(({ theme, text, icon: Icon }) => (
        <label key={theme}>
          <input
            type="radio"
            name={name}
            checked={chosen === theme}
            onChange={() => chooseTheme(theme)}
          />
          <Icon aria-hidden="true" />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
