import type { AccessPolicy } from '../access-policy/access-policy.ts'
import { readAccessPolicies } from '../access-policy/access-policy-xml.ts'
import { checkStorage } from '../endpoint/check-storage.ts'
import { getRequest } from '../request/get-request.ts'
import type { Operation } from '../request/operation.ts'
import { entitySetPath, type TableAddress } from '../request/path.ts'
import { XML_READ_HEADERS } from '../xml/read-xml.ts'

/**
 * Reads the stored access policies of a table. It needs the account's key; a SAS or a token is not
 * enough.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/get-table-acl
 */
export const getTableAcl: Operation<TableAddress, Promise<AccessPolicy[]>> = {
  name: 'getTableAcl',
  statuses: [200],
  addresses: 'table',

  toRequest({ table }, endpoint) {
    checkStorage('getTableAcl', endpoint)
    return getRequest(endpoint, entitySetPath(endpoint, table), 'comp=acl', XML_READ_HEADERS)
  },

  fromResponse: ({ body }) => readAccessPolicies(body),
}
