import type { HttpRequest } from '@rowkey/rest'
import { effectiveMethod } from '../request/request-checks.ts'
import type { Resource } from '../request/resource.ts'

/** The parts of a request that tell its operation, except for the body. */
export type RequestHead = Pick<HttpRequest, 'headers' | 'method' | 'origin' | 'path' | 'query'>

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
  ['GET account properties', 'getServiceProperties'],
  ['PUT account properties', 'setServiceProperties'],
  ['GET account stats', 'getServiceStats'],
  ['POST batch', 'entityGroupTransaction'],
  ['GET tables', 'queryTables'],
  ['POST tables', 'createTable'],
  ['GET table', 'getTable'],
  ['DELETE table', 'deleteTable'],
  ['GET entities acl', 'getTableAcl'],
  ['PUT entities acl', 'setTableAcl'],
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

const COMPONENT = /(?:^|&)comp=([a-z]+)/

/** Returns the operation of a request; `undefined` for an unknown one. */
export function operationName(
  { method, headers, query }: RequestHead,
  resource: Resource,
): OperationName | undefined {
  if (method === 'OPTIONS') return 'preflightTableRequest'
  const verb = effectiveMethod(method, headers)
  const component = COMPONENT.exec(query)?.[1]
  const isConditional =
    resource.kind === 'entity' &&
    headers['if-match'] !== undefined &&
    verb !== 'GET' &&
    verb !== 'DELETE'
  const suffix = component ?? (isConditional ? 'if-match' : undefined)
  return NAMES.get(`${verb} ${resource.kind}${suffix === undefined ? '' : ` ${suffix}`}`)
}
