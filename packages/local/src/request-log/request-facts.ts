import type { HttpMethod, HttpRequest } from '@rowkey/rest'
import { type AccountKeys, locateAccount } from '../account/account.ts'
import { effectiveMethod } from '../request/request-checks.ts'
import { type Resource, routeResource } from '../request/service-request.ts'

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

/** The target of a request, as far as it is known before the service responds. */
export interface RequestFacts {
  /** The verb as it was sent: `POST` for a tunnelled one. */
  readonly method: HttpMethod
  /** The operation; `undefined` for an unknown one. */
  readonly operation: OperationName | undefined
  /** The account; `undefined` when the service does not have it. */
  readonly account: string | undefined
  /** The location of the account. */
  readonly location: 'primary' | 'secondary'
  /** The table as the request spells it; of a batch, the table of its first operation. */
  readonly table: string | undefined
}

/**
 * Describes a request without checking it.
 *
 * @param bodyTable - the table that the body names: see {@link tableInBody}
 */
export function requestFacts(
  accounts: AccountKeys,
  head: RequestHead,
  bodyTable: string | undefined,
): RequestFacts {
  const { method } = head
  try {
    const { account, isSecondary, resourcePath } = locateAccount(accounts, head)
    const resource = routeResource(resourcePath)
    return {
      method,
      operation: operationName(head, resource),
      account,
      location: isSecondary ? 'secondary' : 'primary',
      table: 'table' in resource ? resource.table : bodyTable,
    }
  } catch {
    // The service will reject a request that cannot be read; its facts are unknown.
    const nothing = { operation: undefined, account: undefined, table: undefined }
    return { method, location: 'primary', ...nothing }
  }
}

/** The name is near the beginning of a body of any size. */
const LOOKED_AT = 4096

const NEW_TABLE = /"TableName"\s*:\s*"([A-Za-z0-9]+)"/
const FIRST_OPERATION = /^[A-Z]+ +[^\s?(]*\/([A-Za-z0-9]+)(?=[\s?(])/m

/**
 * Finds the table that a body names: of a batch the table of its first operation, and of a new
 * table its name.
 */
export function tableInBody({ method, path, body }: HttpRequest): string | undefined {
  if (method !== 'POST' || body === undefined) return undefined
  const pattern = path.endsWith('$batch')
    ? FIRST_OPERATION
    : /\/Tables(?:\(\))?$/i.test(path)
      ? NEW_TABLE
      : undefined
  const name = pattern?.exec(body.slice(0, LOOKED_AT))?.[1]
  return name && ownText(name)
}

/** Copies a text. As a part of the body it would keep the whole body in memory. */
function ownText(part: string): string {
  return part.split('').join('')
}
