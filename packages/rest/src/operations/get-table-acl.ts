import { checkStorage } from '../check-storage.ts'
import { entitySetPath } from '../entity/entity-set-path.ts'
import { XML_READ_HEADERS } from '../http/table-headers.ts'
import type { Operation } from '../operation.ts'
import type { AccessPolicy } from '../policy/access-policy.ts'
import { readAccessPolicies } from '../policy/read-access-policies.ts'
import type { TableAddress } from '../table/table-address.ts'

/**
 * Reads the stored access policies of a table. It takes the account's key; a SAS or a token cannot.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/get-table-acl
 */
export const getTableAcl: Operation<TableAddress, Promise<AccessPolicy[]>> = {
  name: 'getTableAcl',
  statuses: [200],
  addresses: 'table',

  toRequest({ table }, endpoint) {
    checkStorage('getTableAcl', endpoint)
    return {
      method: 'GET',
      origin: endpoint.origin,
      path: entitySetPath(endpoint, table),
      query: 'comp=acl',
      headers: XML_READ_HEADERS,
      body: undefined,
    }
  },

  fromResponse: ({ body }) => readAccessPolicies(body),
}
