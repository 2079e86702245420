/**
 * Which way imports point, types included. Packages: rowkey → mapper → query → odata,
 * mapper → rest → odata, local → rest. Inside a package: from the one who decides to the one who
 * is asked. What a rule cannot say about names is in test/layout.
 */

const source = (name) => `^packages/${name}/src/`
const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: to },
})

/** A package may import these packages and no other. */
const arrows = {
  odata: [],
  rest: ['odata'],
  query: ['odata'],
  mapper: ['odata', 'query', 'rest'],
  local: ['odata', 'rest'],
  rowkey: ['odata', 'query', 'rest', 'mapper', 'local'],
}

const packageRules = Object.entries(arrows).map(([name, allowed]) =>
  never(
    `${name}-arrow`,
    `${name} imports ${allowed.join(', ') || 'no other package'}`,
    source(name),
    `^packages/(?!(?:${[name, ...allowed].join('|')})/)`,
  ),
)

/** Folders of one package, from the asked to the one who asks; none imports a later one. */
const roomRules = [
  never(
    'odata-errors-are-leaves',
    'an error knows the vocabulary, not the work',
    `${source('odata')}errors/`,
    `${source('odata')}(?!errors/|edm/edm-type\\.ts|entity/entity-key\\.ts|filter/filter-node\\.ts)`,
  ),
  never(
    'odata-edm-stands-alone',
    'types and their codecs know nothing of entities and filters',
    `${source('odata')}edm/`,
    `${source('odata')}(entity|filter)/`,
  ),
  never(
    'odata-entity-knows-no-filter',
    'a filter asks an entity, not the other way round',
    `${source('odata')}entity/`,
    `${source('odata')}filter/`,
  ),
  never(
    'rest-errors-are-leaves',
    'an error knows no other room',
    `${source('rest')}errors/`,
    `${source('rest')}(?!errors/)`,
  ),
  never(
    'rest-http-is-the-ground',
    'requests, responses and transports know nothing of tables',
    `${source('rest')}http/`,
    `${source('rest')}(?!http/|errors/|options/|endpoint/)`,
  ),
  never(
    'rest-sign-knows-http-only',
    'a signature depends on the request, whatever operation it carries',
    `${source('rest')}sign/`,
    `${source('rest')}(?!sign/|http/|errors/|options/|endpoint/|observe/tell)`,
  ),
  never(
    'rest-operations-are-pure',
    'an operation says what to send; perform and the service send it',
    `${source('rest')}(operations|request|response|transaction|reconcile|paging)/`,
    `${source('rest')}(perform|table-service|retry|testing|connection|http/(?!transport\\.ts|redact))`,
  ),
  never(
    'rest-transaction-knows-no-operation',
    'a change set consists of operation values, whichever they are',
    `${source('rest')}(request|response|transaction|reconcile)/`,
    `${source('rest')}operations/`,
  ),
  never(
    'rest-rooms-know-no-front-page',
    'perform and tableService stand on the rooms, not the other way round',
    `${source('rest')}[a-z-]+/`,
    `${source('rest')}[a-z-]+\\.ts$`,
  ),
  never(
    'query-says-before-it-runs',
    'what a query says and compiles to knows nothing of sources and runs',
    `${source('query')}(model|condition|key|plan|node|compile)/`,
    `${source('query')}(source|run|parallel|read|query|bind-query)[/.]`,
  ),
  never(
    'query-run-is-below-its-callers',
    'a run of one query knows nothing of several queries, and of what callers make of rows',
    `${source('query')}(source|run)/`,
    `${source('query')}(parallel|read|query|bind-query)[/.]`,
  ),
  never(
    'mapper-decorators-only-record',
    'a decorator writes to the recorder and asks nobody',
    `${source('mapper')}decorators/`,
    `${source('mapper')}(codec|layers|account|table|union)/`,
  ),
  never(
    'mapper-model-knows-no-table',
    'a model is derived from a class; codecs and tables are derived from a model',
    `${source('mapper')}model/`,
    `${source('mapper')}(codec|layers|account|table|union)/`,
  ),
  never(
    'mapper-codec-knows-no-table',
    'a codec reads and writes; a table sends',
    `${source('mapper')}codec/`,
    `${source('mapper')}(layers|account|table|union)/`,
  ),
  never(
    'local-store-is-the-ground',
    'the store knows keys and entities, not requests',
    `${source('local')}(store|keys|entity)/`,
    `${source('local')}(http|delivery|service|access|operations|transaction)/`,
  ),
  never(
    'local-operations-hear-no-socket',
    'an operation is asked by the line; it does not listen',
    `${source('local')}(operations|transaction|access|request)/`,
    `${source('local')}(http|delivery|testing)/`,
  ),
]

export default {
  forbidden: [
    {
      name: 'no-ring',
      comment: 'files that import each other, also of types only, cannot be read one by one',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-missing-file',
      comment: 'every import leads somewhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    never(
      'by-package-name',
      'another package is imported by its name, which is its index.ts',
      '^packages/([^/]+)/src/',
      '^packages/(?!$1/)[^/]+/src/(?!index\\.ts$)',
    ),
    never(
      'index-is-for-others',
      'inside a package, a file is imported where it is, not through index.ts',
      '^packages/([^/]+)/src/',
      '^packages/$1/src/index\\.ts$',
    ),
    {
      name: 'no-undeclared-dependency',
      comment: "what a package imports stands in that package's own dependencies",
      severity: 'error',
      // What only the web twins import is bundled into the build for browsers.
      from: { path: '^packages/', pathNot: '^packages/[^/]+/src/web/' },
      // A peer is declared too, although it also counts as in no list of its own.
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['npm-peer'],
      },
    },
    {
      name: 'runs-anywhere',
      comment: 'the language, the query and the mapper run in browsers too: nothing of node:',
      severity: 'error',
      from: {
        path: '^packages/(odata|query|mapper)/src/',
        pathNot: '^packages/mapper/src/crypto/algorithms\\.ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'rest-runs-anywhere-but-for-its-twins',
      comment: 'what needs Node has a twin below src/web, which is built for browsers in its place',
      severity: 'error',
      from: {
        path: '^packages/rest/src/',
        pathNot:
          '^packages/rest/src/(http/platform|http/undici-[a-z]+|observe/diagnostics-listener|sign/shared-key-credential)\\.ts$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'local-runs-anywhere-but-for-its-twins',
      comment: 'the service in memory runs in browsers: what needs Node has a twin below src/web',
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
      comment: 'what a browser cannot have is imported through the files that have a twin',
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
