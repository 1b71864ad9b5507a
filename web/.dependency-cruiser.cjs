// The floors of the web app: a file imports only from lower floors, and features are neighbours.
const FLOORS = ["kit", "main", "app", "features", "components", "api", "lib"];
// A test opens the app from the top, so the order of floors does not bind it.
const TESTS = ["\\.test\\.tsx?$", "^src/test/"];
const floor = (name) => `^src/${name}(/|\\.)`;
const upward = FLOORS.slice(1).map((name, index) => ({
  name: `no-upward-from-${name}`,
  severity: "error",
  from: { path: floor(name), pathNot: TESTS },
  to: { path: FLOORS.slice(0, index + 1).map(floor) },
}));

// The back office beside it: its own floors, over the members' parts.
const OFFICE_FLOORS = ["main", "app", "areas", "parts", "api", "lib"];
const officeFloor = (name) => `^admin/src/${name}(/|\\.)`;
const upwardInOffice = OFFICE_FLOORS.slice(1).map((name, index) => ({
  name: `no-upward-from-office-${name}`,
  severity: "error",
  from: { path: officeFloor(name), pathNot: TESTS },
  to: { path: OFFICE_FLOORS.slice(0, index + 1).map(officeFloor) },
}));

module.exports = {
  forbidden: [
    ...upward,
    ...upwardInOffice,
    {
      name: "members-know-no-office",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/test/setup\\.ts$" }, // of the tests of both
      to: { path: "^admin/" },
    },
    {
      name: "office-takes-parts-not-screens",
      severity: "error",
      from: { path: "^admin/src/", pathNot: TESTS },
      to: { path: "^src/(app/screens|features|main|api/client|lib/session/)" },
    },
    {
      name: "areas-are-neighbours-not-relatives",
      severity: "error",
      from: { path: "^admin/src/areas/([^/]+)/" },
      to: { path: "^admin/src/areas/", pathNot: "^admin/src/areas/$1/" },
    },
    {
      name: "lib-is-in-folders",
      severity: "error",
      from: {},
      to: { path: "^src/lib/[^/]+\\.tsx?$" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "features-are-neighbours-not-relatives",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      to: { path: "^src/features/", pathNot: "^src/features/$1/" },
    },
    {
      name: "components-know-no-server",
      severity: "error",
      from: { path: "^src/components/", pathNot: TESTS },
      to: {
        path: ["^src/api/", "node_modules/@tanstack/react-query", "node_modules/socket.io-client"],
      },
    },
    {
      name: "only-api-files-call-the-server",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [...TESTS, "^src/features/[^/]+/[a-z-]*api\\.ts$", "^src/api/"],
      },
      to: { path: "^src/api/(client|calls)", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, pathNot: ["\\.d\\.ts$", ...TESTS] },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
  },
};
