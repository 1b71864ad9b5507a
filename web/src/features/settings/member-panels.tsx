import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { Link } from "react-router-dom";
import { profileQuery } from "@/api/profile";
import { Avatar } from "@/components/avatar";
import { buttonClasses } from "@/components/button";
import { Crest } from "@/components/crest";
import { ErrorState } from "@/components/error-state";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { Facts } from "@/features/settings/facts";
import { displayName, spokenWords } from "@/lib/format/names";
import { paths } from "@/lib/format/paths";
import { unreadMessageOf } from "@/lib/live/unread-message";
import { useMember } from "@/lib/session/session";

/** The signed-in member in the colours of the club, with a link to the form. */
export function IdentityCard() {
  const member = useMember();
  return (
    <section className="card settings-identity" aria-labelledby="settings-name">
      <Avatar lastName={member.lastName} src={member.avatar} size="large" />
      <div>
        <h2 id="settings-name">{displayName(member.lastName, member.firstName)}</h2>
        <p>
          {member.clubName} · {spokenWords(member.badge)}
        </p>
      </div>
      <Link className={`${buttonClasses("secondary")} settings-edit`} to={paths.profile}>
        <Pencil aria-hidden="true" />
        Edit
      </Link>
    </section>
  );
}

export interface ContactProps {
  /** The address of the latest order; null if there is none, undefined while unknown. */
  address: string | null | undefined;
  /** The orders failed to load, so that it stays unknown. */
  addressFailed: boolean;
}

/** The member's contact details, from the record rather than the stored user. */
export function ContactPanel({ address, addressFailed }: ContactProps) {
  const member = useMember();
  const { data, isError, error, refetch } = useQuery(profileQuery(member.id));
  return (
    <Panel title="Contact">
      {isError && !data ? (
        <ErrorState message={unreadMessageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Facts
          facts={[
            {
              name: "Emails",
              value: data?.email ?? member.email ?? <Skeleton width="12em" />,
              note: "Used to sign in and to receive codes",
            },
            { name: "Phone numbers", value: spacedPhone(data?.phone ?? member.phone) },
            { name: "Address", ...addressFact(address, addressFailed) },
          ]}
        />
      )}
    </Panel>
  );
}

function addressFact(address: ContactProps["address"], failed: boolean) {
  if (address === undefined) {
    return {
      value: failed ? <span className="muted">Did not load</span> : <Skeleton width="12em" />,
    };
  }
  return { value: address, note: address === null ? <AddAddress /> : "From your latest order" };
}

/** A number in readable groups: `+234 803 123 4567`. */
function spacedPhone(phone: string): string {
  return phone.replace(/^(\+234)(\d{3})(\d{3})(\d{4})$/, "$1 $2 $3 $4");
}

function AddAddress() {
  return (
    <>
      You enter it when you order. <Link to={paths.products}>Add one in the shop</Link>
    </>
  );
}

/** Account details; those we do not ask for say so. */
export function AccountOptions() {
  const { clubName, emblem, clubColours } = useMember();
  return (
    <Panel title="Account options">
      <Facts
        facts={[
          { name: "Language", value: "English" },
          { name: "Time zone", value: "Africa/Lagos" },
          { name: "Nationality", value: null, note: "We don't ask for this." },
          {
            name: "Club of choice",
            value: (
              <span className="settings-club">
                <Crest clubName={clubName} emblem={emblem} colours={clubColours} size={32} />
                {clubName}
              </span>
            ),
            note: "You chose it when you joined. It stays the same, because your points count for it.",
          },
        ]}
      />
    </Panel>
  );
}
