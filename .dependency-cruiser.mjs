/**
 * Which way imports point, types included. Packages: rowkey → mapper → query → odata,
 * mapper → rest → odata, local → rest, patterns → mapper, cli → rowkey, studio → cli. Inside a package, callers import what they call. Rules about names
 * are in test/layout.
 */

const source = (name) => `^packages/${name}/src/`
const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: to },
})

/** The packages that a package may import. */
const arrows = {
  odata: [],
  rest: ['odata'],
  query: ['odata'],
  mapper: ['odata', 'query', 'rest'],
  local: ['odata', 'rest'],
  'data-tables': ['odata', 'rest'],
  cli: ['odata', 'query', 'rest', 'mapper', 'rowkey'],
  studio: ['odata', 'rest', 'mapper', 'rowkey', 'cli'],
  patterns: ['odata', 'query', 'rest', 'mapper'],
  rowkey: ['odata', 'query', 'rest', 'mapper', 'local'],
  'azure-entities': ['odata', 'rest', 'local'],
}

const packageRules = Object.entries(arrows).map(([name, allowed]) =>
  never(
    `${name}-arrow`,
    `${name} may import only: ${allowed.join(', ') || 'nothing'}`,
    source(name),
    `^packages/(?!(?:${[name, ...allowed].join('|')})/)`,
  ),
)

/** The folders of each package, in order: a folder never imports a later one. */
const roomRules = [
  never(
    'odata-errors-are-leaves',
    'errors import no other folder',
    `${source('odata')}errors/`,
    `${source('odata')}(?!errors/)`,
  ),
  never(
    'odata-edm-stands-alone',
    'types and their codecs do not import entities or filters',
    `${source('odata')}edm/`,
    `${source('odata')}(entity|filter)/`,
  ),
  never(
    'odata-entity-knows-no-filter',
    'filters import entities, never the reverse',
    `${source('odata')}entity/`,
    `${source('odata')}filter/`,
  ),
  never(
    'rest-errors-are-leaves',
    'errors import no other folder',
    `${source('rest')}errors/`,
    `${source('rest')}(?!errors/)`,
  ),
  never(
    'rest-http-is-the-ground',
    'requests, responses and transports do not import tables or operations',
    `${source('rest')}http/`,
    `${source('rest')}(?!http/|errors/|wait/|endpoint/)`,
  ),
  never(
    'rest-sign-knows-http-only',
    'a signature depends only on the request, not on the operation',
    `${source('rest')}sign/`,
    `${source('rest')}(?!sign/|http/|errors/|wait/|endpoint/|observe/tell)`,
  ),
  never(
    'rest-operations-are-pure',
    'operations are pure; only perform and the service send',
    `${source('rest')}(operations|request|response|transaction|reconcile|paging)/`,
    `${source('rest')}(perform|table-service|call|retry|testing|connection|http/(?!transport\\.ts|redact))`,
  ),
  never(
    'rest-retry-knows-no-call',
    'policies and what they need to know are below the calls that ask them',
    `${source('rest')}retry/`,
    `${source('rest')}(call|exact|operations|testing)/`,
  ),
  never(
    'rest-transaction-knows-no-operation',
    'a change set takes any operation value',
    `${source('rest')}(request|response|transaction|reconcile)/`,
    `${source('rest')}operations/`,
  ),
  never(
    'rest-rooms-know-no-front-page',
    'perform and tableService import the folders, never the reverse',
    `${source('rest')}[a-z-]+/`,
    `${source('rest')}[a-z-]+\\.ts$`,
  ),
  never(
    'query-says-before-it-runs',
    'building and compiling a query does not import sources or runs',
    `${source('query')}(model|condition|key|plan|node|compile)/`,
    `${source('query')}(source|run|parallel|read|query|bind-query)[/.]`,
  ),
  never(
    'query-run-is-below-its-callers',
    'the run of one query does not import parallel queries or its callers',
    `${source('query')}(source|run)/`,
    `${source('query')}(parallel|read|query|bind-query)[/.]`,
  ),
  never(
    'mapper-decorators-only-record',
    'decorators only record; they import no codec or table',
    `${source('mapper')}decorators/`,
    `${source('mapper')}(codec|layers|account|rows|keep|writes|table|union)/`,
  ),
  never(
    'mapper-model-knows-no-table',
    'models come from classes; codecs and tables come from models',
    `${source('mapper')}model/`,
    `${source('mapper')}(codec|layers|account|rows|keep|writes|table|union)/`,
  ),
  never(
    'mapper-codec-knows-no-table',
    'codecs read and write; only tables send',
    `${source('mapper')}codec/`,
    `${source('mapper')}(layers|account|rows|keep|writes|table|union)/`,
  ),
  never(
    'mapper-rows-only-read',
    'rows are read under the rules of their table; keepers and writes come after',
    `${source('mapper')}rows/`,
    `${source('mapper')}(keep|writes|table|account|union)/`,
  ),
  never(
    'mapper-keepers-send-nothing',
    'keepers plan what writes send',
    `${source('mapper')}keep/`,
    `${source('mapper')}(writes|table|account|union)/`,
  ),
  never(
    'mapper-writes-know-no-table',
    'a table has writes, never the reverse',
    `${source('mapper')}(writes|bulk)/`,
    `${source('mapper')}(table|account|union)/`,
  ),
  never(
    'local-store-is-the-ground',
    'the store imports keys and entities, not requests',
    `${source('local')}(store|keys|entity)/`,
    `${source('local')}(http|delivery|service|access|operations|transaction)/`,
  ),
  never(
    'local-operations-hear-no-socket',
    'operations are called by the line; they do not listen',
    `${source('local')}(operations|transaction|access|request)/`,
    `${source('local')}(http|delivery|testing)/`,
  ),
]

export default {
  forbidden: [
    {
      name: 'no-ring',
      comment: 'files must not import each other, not even for types',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-missing-file',
      comment: 'every import must resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    never(
      'by-package-name',
      'import another package by its name',
      '^packages/([^/]+)/src/',
      '^packages/(?!$1/)[^/]+/src/(?!index\\.ts$|entries/)',
    ),
    never(
      'index-is-for-others',
      'inside a package, import files directly, not through index.ts',
      '^packages/([^/]+)/src/',
      '^packages/$1/src/index\\.ts$',
    ),
    {
      name: 'no-undeclared-dependency',
      comment: 'a package declares everything that it imports as its own dependency',
      severity: 'error',
      // The builds bundle the imports of the web twins, of the XML reader, of the completions and of the page.
      from: {
        path: '^packages/',
        pathNot:
          '^packages/([^/]+/src/web/|rest/src/xml/parse-xml\\.ts$|cli/src/command/completion\\.ts$|studio/page/)',
      },
      // A peer is declared, although it also counts as undeclared.
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['npm-peer'],
      },
    },
    {
      name: 'runs-anywhere',
      comment: 'odata, query, mapper and patterns run in browsers too: they must not import node:',
      severity: 'error',
      from: {
        path: '^packages/(odata|query|mapper|patterns)/src/',
        pathNot: '^packages/mapper/src/crypto/',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'rest-runs-anywhere-but-for-its-twins',
      comment: 'a file that needs Node has a twin below src/web, for the build for browsers',
      severity: 'error',
      from: {
        path: '^packages/rest/src/',
        pathNot:
          '^packages/rest/src/(http/(platform|exchange|http-dispatcher|node-transport|undici-[a-z]+)|observe/(diagnostics-listener|debug-logger)|sign/shared-key-credential)\\.ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'local-runs-anywhere-but-for-its-twins',
      comment: 'the service in memory runs in browsers; a file that needs Node has a twin',
      severity: 'error',
      from: {
        path: '^packages/local/src/',
        pathNot:
          '^packages/local/src/(http|durable)/|^packages/local/src/platform/(crypto|warn)\\.ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'local-needs-node-behind-two-doors',
      comment: 'http/ and durable/ need Node; import them only through the files that have a twin',
      severity: 'error',
      from: { path: '^packages/local/src/', pathNot: '^packages/local/src/(http|durable)/' },
      to: {
        path: '^packages/local/src/(http|durable)/',
        pathNot: '^packages/local/src/(http/listeners|durable/durable-store)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    ...packageRules,
    ...roomRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|\\.tsc)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
