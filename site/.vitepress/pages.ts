/** The pages of the site, by the files that they are written in. The order is the one of the sidebar. */

export interface Group {
  readonly title: string
  /** Files from the root of the repository, perhaps with a heading, and what the sidebar calls them. */
  readonly pages: Readonly<Record<string, string>>
}

export const groups: readonly Group[] = [
  {
    title: 'Start',
    pages: {
      'README.md': 'The tour',
      'docs/setup.md': 'Setup',
      'examples/stacks/README.md': 'Programs to start from',
      'docs/README.md': 'All pages, and words',
    },
  },
  {
    title: 'Tasks',
    pages: {
      'docs/queries.md#pages': 'Page in a REST API',
      'docs/queries.md#count-rows': 'Count rows',
      'docs/changes.md#concurrent-changes': 'Change what others change',
      'docs/tasks/deploy-a-change.md': 'Deploy a change of a model or an index',
      'docs/tasks/rename-a-property.md': 'Rename a property',
      'docs/tasks/delete-a-partition.md': 'Delete a partition',
      'docs/expiry.md': 'Expire and soft-delete rows',
      'docs/several-types.md': 'Several types in one table',
      'docs/tasks/several-tenants.md': 'Several tenants',
      'docs/tasks/export-and-import.md': 'Export and import',
      'docs/testing.md': 'Test with Vitest, Jest and others',
      'docs/tasks/seed-data.md': 'Seed data',
      'docs/tasks/managed-identity.md': 'Managed Identity',
      'examples/stacks/README.md#azure-functions': 'Azure Functions',
      'examples/stacks/README.md#aws-lambda': 'AWS Lambda',
      'docs/migrating.md': 'Move from @azure/data-tables',
      'docs/troubleshooting.md': 'Troubleshoot by symptom',
    },
  },
  {
    title: 'Concepts',
    pages: {
      'docs/models.md': 'Models',
      'docs/keys.md': 'Keys',
      'docs/queries.md': 'Queries',
      'docs/changes.md': 'Changes',
      'docs/bulk.md': 'Many entities',
      'docs/safe-writes.md': 'Safe writes',
      'docs/network-failures.md': 'Network failures',
      'docs/credentials.md': 'Credentials',
      'docs/encryption.md': 'Encryption',
      'docs/embedded-service.md': 'The embedded service',
      'docs/watching.md': 'Watching',
      'docs/command.md': 'The command',
      'docs/studio.md': 'The studio',
    },
  },
  {
    title: 'Patterns',
    pages: {
      'docs/patterns/indexes.md': 'Indexes',
      'docs/patterns/summaries.md': 'Summaries',
      'docs/patterns/copies.md': 'Copies',
      'docs/patterns/outbox-and-jobs.md': 'Outbox and jobs',
      'docs/patterns/periods.md': 'Tables of a period',
      'docs/patterns/wide-entities.md': 'Wide entities and series',
      'docs/patterns/large-values.md': 'Large values',
      'docs/patterns/recipes.md': 'Recipes',
    },
  },
  {
    title: 'Errors, limits and releases',
    pages: {
      'docs/errors.md': 'Errors',
      'docs/limits.md': 'Limits',
      'docs/versions.md': 'What a release may change',
    },
  },
  {
    title: 'Other clients and services',
    pages: {
      'docs/azure-storage.md': 'From azure-storage, Java, .NET',
      'docs/azure-entities.md': 'From azure-entities',
      'docs/cosmos.md': 'Cosmos DB',
    },
  },
  {
    title: 'The project',
    pages: {
      'CONTRIBUTING.md': 'Contributing',
      'docs/project/compatibility.md': 'Compatibility',
      'docs/project/reliability.md': 'Reliability',
      'bench/README.md': 'What an operation costs',
      'docs/project/protocol.md': 'Protocol',
      'docs/project/encryption-formats.md': 'Formats of encrypted rows',
      'docs/project/architecture.md': 'Architecture',
      'docs/project/dependencies.md': 'Dependencies',
      'docs/project/refused-combinations.md': 'Refused combinations',
      'docs/project/requirements.md': 'Requirements',
      'SECURITY.md': 'Security',
    },
  },
  {
    title: 'Reference',
    pages: {
      'site/reference/index.md': 'By package',
      'site/reference/rowkey.md': 'rowkey',
      'site/reference/patterns.md': '@rowkey/patterns',
      'site/reference/mapper.md': '@rowkey/mapper',
      'site/reference/mapper-other-clients.md': '@rowkey/mapper/other-clients',
      'site/reference/query.md': '@rowkey/query',
      'site/reference/rest.md': '@rowkey/rest',
      'site/reference/rest-testing.md': '@rowkey/rest/testing',
      'site/reference/odata.md': '@rowkey/odata',
      'site/reference/local.md': '@rowkey/local',
      'site/reference/local-msw.md': '@rowkey/local/msw',
      'site/reference/data-tables.md': '@rowkey/data-tables',
      'site/reference/azure-entities.md': '@rowkey/azure-entities',
      'site/reference/cli.md': '@rowkey/cli',
      'site/reference/studio.md': '@rowkey/studio',
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
  'examples/stacks/README.md': 'stacks.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
}

/** The files of all pages. */
export const pages: readonly string[] = [
  'site/home.md',
  'site/playground.md',
  ...new Set(groups.flatMap((group) => Object.keys(group.pages).map(fileOf))),
]

/** A page without its heading. */
function fileOf(entry: string): string {
  return entry.replace(/#.*/, '')
}

/** Returns the address of a page or a heading on the site. */
export function linkTo(entry: string): string {
  const [page = '', heading] = entry.split('#')
  const path = addressOf(page).replace(/(?:(?<=\/)index)?\.md$/, '')
  return heading === undefined ? `/${path}` : `/${path}#${heading}`
}

/** Returns the path of a page in the site, which ends with `.md` as VitePress wants it. */
export function addressOf(page: string): string {
  return ADDRESSES[page] ?? page.replace(/^(?:docs|site)\//, '')
}
