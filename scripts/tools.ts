/** The scripts that are needed now and then. `npm run tool <name>` runs one. */
export interface Tool {
  /** What it is for, and when it runs by itself. */
  readonly does: string
  /** A program with its arguments. */
  readonly runs: readonly [program: string, ...args: string[]]
}

/** Returns a tool that a script is. */
const script = (file: string, does: string, ...options: readonly string[]): Tool => ({
  does,
  runs: ['tsx', ...options, '--tsconfig', 'test/tsconfig.json', file],
})

export const TOOLS: Readonly<Record<string, Tool>> = {
  errors: script('scripts/errors-page.ts', 'writes docs/errors.md from the tables of codes'),
  refused: script(
    'scripts/refused-combinations.ts',
    'writes docs/project/refused-combinations.md from what the API rejects',
  ),
  pictures: script(
    'test/browsers/studio/pictures.ts',
    'takes the pictures of the studio, after a build',
  ),
  pages: script(
    'scripts/package-docs.ts',
    'copies the pages into the packages; the build and a release run it',
  ),
  changelog: script(
    'scripts/changelog.ts',
    'makes a version of the waiting changesets, and CHANGELOG.md of all of them',
  ),
  tarballs: script(
    'scripts/tarballs.ts',
    'checks what a release would publish, after a build; .ci/run, the hosted workflow',
  ),
  requirements: script('scripts/requirements.ts', 'lists the requirements that have no test'),
  regexps: script(
    'scripts/regular-expressions.ts',
    'checks that each regular expression needs linear time, whatever text it reads; .ci/run',
  ),
  exports: script(
    'scripts/check-exports.ts',
    'checks the packages as users install them, after a build; .ci/run',
  ),
  measures: script(
    'scripts/measures.ts',
    'counts the files that one insert and one query run, and the shape of all sources',
  ),
  decorators: {
    does: 'compiles the tests of classes by the compilers that npm test leaves out; each night',
    runs: ['vitest', 'run', '--config', 'vitest.check.config.ts', '--project', '* decorators'],
  },
  filters: script(
    'scripts/nightly-filter.ts',
    'prints and parses over a million random filters; each night',
  ),
  histories: script(
    'scripts/histories.ts',
    'plays random histories of objects and rows, and prints the shortest that breaks a rule; each night',
  ),
  'index-histories': script(
    'scripts/nightly-histories.ts',
    'plays random histories of programs that declare indexes and sums; .ci/run, the hosted workflow, each night',
  ),
  indexes: script(
    'scripts/nightly-indexes.ts',
    'rebuilds indexes beside writers, makes racing updates of unique values, and calls of one tenant; each night',
  ),
  meetings: script(
    'scripts/nightly-meetings.ts',
    'plays all triples of models, writes, conditions, guarantees, troubles, programs and services; each night',
  ),
  simulation: script(
    'scripts/nightly-simulation.ts',
    'simulates calls over a faulty network, and kills imports between any two steps; each night',
  ),
  orders: script(
    'scripts/nightly-orders.ts',
    'plays three clients in every order, with lost, late and doubled requests; each night',
  ),
  commands: script(
    'scripts/nightly-command.ts',
    'kills exports, imports and copies of a million rows, and pulls models of random tables; each night',
  ),
  crash: script('scripts/crash.ts', 'kills the durable service, and checks what it kept'),
  soak: script('scripts/soak.ts', 'prints the memory of the embedded service', '--expose-gc'),
  'large-table': script(
    'test/browsers/studio/large-table.ts',
    'opens a table of a million rows in the studio, after a build',
  ),
  conformance: script('scripts/conformance.ts', 'runs the scenarios on an account of yours'),
  'fault-proxy': script(
    'scripts/fault-proxy.ts',
    'puts faults on the sockets between any client and any table service on this machine',
  ),
}
