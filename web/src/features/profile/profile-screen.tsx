import "@/features/profile/profile.css";
import { useQuery } from "@tanstack/react-query";
import { Medal, Settings } from "lucide-react";
import { Link } from "react-router-dom";
import { profileQuery } from "@/api/profile";
import type { Profile } from "@/api/wire";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { AvatarPicker } from "@/features/profile/avatar-picker";
import { BankSection } from "@/features/profile/bank-section";
import { Completeness } from "@/features/profile/completeness";
import { LeaveModal } from "@/features/profile/leave-modal";
import { NextOfKinSection } from "@/features/profile/next-of-kin-section";
import { PersonalSection } from "@/features/profile/personal-section";
import { useProfileForm } from "@/features/profile/use-profile-form";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";
import { useLeaveGuard } from "@/lib/ui/use-leave-guard";

/** The member's own record as a form. */
export default function ProfileScreen() {
  const { id } = useMember();
  const profile = useQuery(profileQuery(id));
  return (
    <Loaded query={profile} pending={<ProfileWaiting />}>
      {(known) => <ProfileForm profile={known} />}
    </Loaded>
  );
}

function ProfileForm({ profile }: { profile: Profile }) {
  const form = useProfileForm(profile);
  const guard = useLeaveGuard(form.unsaved, { inside: true });
  const hasPicture = form.picture !== null || profile.avatar !== null;
  return (
    <form noValidate aria-label="Editing Profile" onSubmit={form.submit}>
      <div className="profile">
        <p className="profile-lead">Update your Kyc for recognition.</p>
        <aside className="card profile-side" aria-label="Picture and progress">
          <AvatarPicker
            lastName={profile.lastName}
            saved={profile.avatar}
            picked={form.picture}
            onPick={form.setPicture}
          />
          <Completeness values={form.values} hasPicture={hasPicture} />
          <Link className="text-link" to={paths.badges}>
            <Medal aria-hidden="true" />
            Badges
          </Link>
          <Link className="text-link" to={paths.settings}>
            <Settings aria-hidden="true" />
            Settings
          </Link>
        </aside>
        <div className="profile-sections">
          <PersonalSection bind={form.bind} email={profile.email} />
          <NextOfKinSection bind={form.bind} />
          <BankSection bind={form.bind} />
        </div>
      </div>
      <SaveBar unsaved={form.unsaved} saving={form.saving} />
      {guard.asking ? <LeaveModal onLeave={guard.leave} onStay={guard.stay} /> : null}
    </form>
  );
}

function SaveBar({ unsaved, saving }: { unsaved: boolean; saving: boolean }) {
  return (
    <div className="profile-save">
      <p className="small" role="status">
        {unsaved ? "Not saved yet" : "All saved"}
      </p>
      <Button type="submit" busy={saving} busyText="Saving...">
        Save changes
      </Button>
    </div>
  );
}

function ProfileWaiting() {
  return (
    <div className="profile" role="status" aria-label="Loading your profile">
      <div className="card profile-side profile-waiting">
        <Skeleton shape="block" />
      </div>
      <div className="profile-sections">
        {["personal", "kin", "bank"].map((section) => (
          <div key={section} className="card profile-waiting">
            <Skeleton shape="numeral" width="60%" />
          </div>
        ))}
      </div>
    </div>
  );
}
