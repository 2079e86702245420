import type { HttpRequest } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'
import type { AccountKeys } from '../service/account.ts'

/** Which account a request is for, and what is left of its path. */
export interface Located {
  readonly account: string
  /** Empty in host style, `/account` in path style. */
  readonly basePath: string
  /** The path below the account, still percent-encoded; begins with `/`. */
  readonly resourcePath: string
}

/**
 * Finds the account: by the first label of the host (`contoso.table.localhost`), or else by the
 * first segment of the path (`127.0.0.1:10002/contoso`).
 */
export function locateAccount(accounts: AccountKeys, request: HttpRequest): Located {
  const label = firstLabel(request.origin)
  if (accounts.has(label)) {
    return { account: label, basePath: '', resourcePath: request.path }
  }
  const end = request.path.indexOf('/', 1)
  const basePath = end < 0 ? request.path : request.path.slice(0, end)
  const account = basePath.slice(1)
  if (account === '') throw new ServiceFault('InvalidUri')
  if (!accounts.has(account)) throw new ServiceFault('AuthenticationFailed')
  return { account, basePath, resourcePath: end < 0 ? '/' : request.path.slice(end) }
}

function firstLabel(origin: string): string {
  const start = origin.indexOf('://') + 3
  const dot = origin.indexOf('.', start)
  return dot < 0 ? '' : origin.slice(start, dot)
}
