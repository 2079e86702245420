import type { HttpMethod, HttpRequest } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import { locateAccount } from '../account/locate-account.ts'
import { routeResource } from '../request/resource.ts'
import { type OperationName, operationName, type RequestHead } from './operation-name.ts'

/** What a request is about, as far as it can be told before the request is answered. */
export interface RequestFacts {
  /** The verb as it was sent: `POST` for a tunnelled one. */
  readonly method: HttpMethod
  /** The operation; `undefined` for a request that is none. */
  readonly operation: OperationName | undefined
  /** The account; `undefined` when the service has none of that name. */
  readonly account: string | undefined
  /** Which of the account's locations was asked. */
  readonly location: 'primary' | 'secondary'
  /** The table as the request spells it, for a batch that of its first operation. */
  readonly table: string | undefined
}

/**
 * Describes a request, without checking it.
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
    // What cannot be read will be refused with a reason; it is about nothing.
    const nothing = { operation: undefined, account: undefined, table: undefined }
    return { method, location: 'primary', ...nothing }
  }
}

/** The name stands near the beginning of a body, whatever the body's size. */
const LOOKED_AT = 4096

const NEW_TABLE = /"TableName"\s*:\s*"([A-Za-z0-9]+)"/
const FIRST_OPERATION = /^[A-Z]+ +[^\s?(]*\/([A-Za-z0-9]+)(?=[\s?(])/m

/**
 * The table of a request whose path names none: of a batch that of its first operation, and for a
 * new table its name.
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
