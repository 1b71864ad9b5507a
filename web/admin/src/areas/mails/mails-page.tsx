import { Link, useSearchParams } from "react-router-dom";
import { counted } from "@/lib/format/counts";
import { useAnswer } from "~/api/queries";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

/** The mail queue; mails that are no longer retried come first. */
export default function MailsPage() {
  return (
    <div className="screen">
      <DeadMails />
      <ResourceList
        call="GET /api/v1/admin/mails"
        noun="email"
        empty="No emails"
        nameOf={({ to, subject }) => `${subject}, to ${to}`}
        bulk={[
          {
            call: "POST /api/v1/admin/mails/{mail_id}/retry",
            text: (count) => `Retry ${counted(count, "email")}`,
            requestOf: ({ id, state }) => (state === "dead" ? { inPath: { mail_id: id } } : null),
          },
        ]}
        columns={[
          { title: "To", value: (mail) => mail.to },
          { title: "Subject", value: (mail) => mail.subject },
          { title: "Kind", minor: true, as: "word", value: (mail) => mail.kind },
          { title: "State", as: "state", value: (mail) => mail.state },
          { title: "Tries", minor: true, as: "number", value: (mail) => mail.tries },
          { title: "Not before", minor: true, as: "moment", value: (mail) => mail.notBefore },
          { title: "Error", value: (mail) => mail.error },
        ]}
        actions={({ id, state }) =>
          state === "dead" ? (
            <Action
              call="POST /api/v1/admin/mails/{mail_id}/retry"
              inPath={{ mail_id: id }}
              text="Retry"
            />
          ) : null
        }
      />
    </div>
  );
}

/** The number of failed mails with a link to them; hidden while they are listed. */
function DeadMails() {
  const [search] = useSearchParams();
  const today = useAnswer("GET /api/v1/admin/today");
  const dead = today.data?.waiting["deadMails"] ?? 0;
  if (dead === 0 || search.get("state") === "dead") {
    return null;
  }
  return (
    <p className="notice notice-warn">
      <Link to="?state=dead">{counted(dead, "email")} could not be sent</Link>
    </p>
  );
}
