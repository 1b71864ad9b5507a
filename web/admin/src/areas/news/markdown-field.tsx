import { ArticleText } from "@/components/article-text";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { usePreview } from "~/api/queries";
import { useSettled } from "~/lib/use-settled";
import { FormField, type FormFieldProps } from "~/parts/form-field";

const HINT =
  "Markdown: **bold**, *italic*, ## heading, - list, [text](https://…). HTML is removed.";

/** A Markdown field, with the server's rendering below. */
export function MarkdownField(field: FormFieldProps) {
  const text = useSettled(String(field.value ?? ""));
  const asked = usePreview("POST /api/v1/admin/articles/preview", { body: { body: text } });
  return (
    <div className="markdown-field">
      <FormField {...field} hint={HINT} />
      <section className="markdown-preview" aria-label="Preview">
        <p className="muted small">As members see it</p>
        <Loaded query={asked} pending={<Skeleton />}>
          {({ html }) => <ArticleText html={html} />}
        </Loaded>
      </section>
    </div>
  );
}
