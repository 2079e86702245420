import type { HttpHeaders } from '@rowkey/rest'

/** The operations of the protocol. */
export type OperationName =
  | 'createTable'
  | 'deleteEntity'
  | 'deleteTable'
  | 'entityGroupTransaction'
  | 'getEntity'
  | 'getServiceProperties'
  | 'getServiceStats'
  | 'getTable'
  | 'getTableAcl'
  | 'insertEntity'
  | 'insertOrMergeEntity'
  | 'insertOrReplaceEntity'
  | 'mergeEntity'
  | 'preflightTableRequest'
  | 'queryEntities'
  | 'queryTables'
  | 'setServiceProperties'
  | 'setTableAcl'
  | 'updateEntity'

const NAMES: ReadonlyMap<string, OperationName> = new Map<string, OperationName>([
  ['GET account?comp=properties', 'getServiceProperties'],
  ['PUT account?comp=properties', 'setServiceProperties'],
  ['GET account?comp=stats', 'getServiceStats'],
  ['POST batch', 'entityGroupTransaction'],
  ['GET tables', 'queryTables'],
  ['POST tables', 'createTable'],
  ['GET table', 'getTable'],
  ['DELETE table', 'deleteTable'],
  ['GET entities?comp=acl', 'getTableAcl'],
  ['PUT entities?comp=acl', 'setTableAcl'],
  ['GET entities', 'queryEntities'],
  ['POST entities', 'insertEntity'],
  ['GET entity', 'getEntity'],
  ['DELETE entity', 'deleteEntity'],
  ['PUT entity', 'insertOrReplaceEntity'],
  ['MERGE entity', 'insertOrMergeEntity'],
  ['PATCH entity', 'insertOrMergeEntity'],
  ['PUT entity if-match', 'updateEntity'],
  ['MERGE entity if-match', 'mergeEntity'],
  ['PATCH entity if-match', 'mergeEntity'],
])

const ALL: ReadonlySet<unknown> = new Set([...NAMES.values(), 'preflightTableRequest'])

/** Tells whether a value is the name of an operation. */
export function isOperationName(value: unknown): value is OperationName {
  return ALL.has(value)
}

/** Tells whether a resource has a `comp` with this value. */
export function isComponent(kind: string, component: string): boolean {
  return NAMES.has(`GET ${kind}?comp=${component}`)
}

/** The verb that counts, and the headers by names in lower case. */
interface VerbAndHeaders {
  readonly method: string
  readonly headers: HttpHeaders
}

/**
 * Names an operation; `undefined` for an unknown one.
 *
 * @param kind - the target of the path
 * @param component - the `comp` of the query
 */
export function operationName(
  { method, headers }: VerbAndHeaders,
  kind: string,
  component: string | undefined,
): OperationName | undefined {
  const name = `${method} ${kind}`
  if (component !== undefined) return NAMES.get(`${name}?comp=${component}`)
  const conditional = headers['if-match'] !== undefined && NAMES.get(`${name} if-match`)
  return conditional || NAMES.get(name)
}
