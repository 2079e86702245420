/** The pages of the site, by the files that they are written in. The order is the one of the sidebar. */

export interface Group {
  readonly title: string
  /** Files from the root of the repository, with what the sidebar calls them. */
  readonly pages: Readonly<Record<string, string>>
}

export const groups: readonly Group[] = [
  {
    title: 'Start',
    pages: {
      'README.md': 'The tour',
      'docs/setup.md': 'Setup',
      'docs/stacks.md': 'Fastify, Nest, Hono, Functions, Lambda',
      'docs/README.md': 'All pages, and words',
    },
  },
  {
    title: 'Concepts',
    pages: {
      'docs/models.md': 'Models',
      'docs/keys.md': 'Keys',
      'docs/queries.md': 'Queries',
      'docs/changes.md': 'Changes',
      'docs/several-types.md': 'Several types, and versions',
      'docs/bulk.md': 'Many entities',
      'docs/lost-responses.md': 'Lost responses',
      'docs/exact-writes.md': 'Exact writes',
      'docs/expiry.md': 'Expiry',
      'docs/credentials.md': 'Credentials',
      'docs/encryption.md': 'Encryption',
      'docs/embedded-service.md': 'The embedded service',
      'docs/testing.md': 'Testing',
      'docs/watching.md': 'Watching',
      'docs/command.md': 'The command',
    },
  },
  {
    title: 'Patterns',
    pages: {
      'docs/patterns/indexes.md': 'Secondary indexes',
      'docs/patterns/eventual-indexes.md': 'Eventual indexes',
      'docs/patterns/index-entities.md': 'Index entities',
      'docs/patterns/summaries.md': 'Summaries',
      'docs/patterns/copies.md': 'Copies',
      'docs/patterns/collections.md': 'Collections',
      'docs/patterns/consistency.md': 'Snapshots and fences',
      'docs/patterns/jobs.md': 'Jobs',
      'docs/patterns/outbox.md': 'Outbox',
      'docs/patterns/logs.md': 'Logs',
      'docs/patterns/spread.md': 'Hot partitions',
      'docs/patterns/series.md': 'Series',
      'docs/patterns/wide-entities.md': 'Wide entities',
      'docs/patterns/large-values.md': 'Large values',
    },
  },
  {
    title: 'When something goes wrong',
    pages: {
      'docs/troubleshooting.md': 'Troubleshooting',
      'docs/errors.md': 'Errors',
      'docs/refused-combinations.md': 'Refused combinations',
      'docs/limits.md': 'Limits',
    },
  },
  {
    title: 'Other clients and services',
    pages: {
      'docs/migrating.md': 'From @azure/data-tables',
      'docs/azure-storage.md': 'From azure-storage',
      'docs/azure-entities.md': 'From azure-entities',
      'docs/other-clients.md': 'Beside other clients',
      'docs/cosmos.md': 'Cosmos DB',
    },
  },
  {
    title: 'The project',
    pages: {
      'docs/versions.md': 'Versions',
      'docs/compatibility.md': 'Compatibility',
      'docs/reliability.md': 'Reliability',
      'bench/README.md': 'What an operation costs',
      'docs/protocol.md': 'Protocol',
      'docs/architecture.md': 'Architecture',
      'docs/dependencies.md': 'Dependencies',
      'docs/requirements.md': 'Requirements',
      'CONTRIBUTING.md': 'Contributing',
      'SECURITY.md': 'Security',
    },
  },
]

/** Pages whose address is not their path below docs/. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'site/home.md': 'index.md',
  'site/playground.md': 'playground.md',
  'README.md': 'tour.md',
  'docs/README.md': 'pages.md',
  'bench/README.md': 'bench.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
}

/** The files of all pages. */
export const pages: readonly string[] = [
  'site/home.md',
  'site/playground.md',
  ...groups.flatMap((group) => Object.keys(group.pages)),
]

/** Returns the path of a page in the site, which ends with `.md` as VitePress wants it. */
export function addressOf(page: string): string {
  return ADDRESSES[page] ?? page.replace(/^docs\//, '')
}
