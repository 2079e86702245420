import { checkStorage } from '../check-storage.ts'
import { isChecked } from '../checks/with-checks.ts'
import { entitySetPath } from '../entity/entity-set-path.ts'
import { XML_BODY_HEADERS } from '../http/table-headers.ts'
import type { Operation } from '../operation.ts'
import type { AccessPolicy } from '../policy/access-policy.ts'
import { checkAccessPolicies } from '../policy/check-access-policies.ts'
import { writeAccessPolicies } from '../policy/write-access-policies.ts'
import type { TableAddress } from '../table/table-address.ts'
import { repeatable } from '../truth/reconciliation.ts'

/** A table and all the stored access policies that it shall have. */
export interface TableAcl extends TableAddress {
  /** At most 5; none removes them all. */
  readonly policies: readonly AccessPolicy[]
}

/**
 * Puts stored access policies in the place of all that the table has. It may take 30 seconds until
 * they count. It takes the account's key; a SAS or a token cannot.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/set-table-acl
 */
export const setTableAcl: Operation<TableAcl, void> = {
  name: 'setTableAcl',
  statuses: [204],
  addresses: 'table',

  toRequest({ table, policies }, endpoint) {
    checkStorage('setTableAcl', endpoint)
    const path = entitySetPath(endpoint, table)
    if (isChecked(endpoint, 'accessPolicies')) checkAccessPolicies(table, policies)
    return {
      method: 'PUT',
      origin: endpoint.origin,
      path,
      query: 'comp=acl',
      headers: XML_BODY_HEADERS,
      body: writeAccessPolicies(policies),
    }
  },

  fromResponse() {},

  reconcile: repeatable,
}
