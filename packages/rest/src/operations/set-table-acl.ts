import { type AccessPolicy, checkAccessPolicies } from '../access-policy/access-policy.ts'
import { writeAccessPolicies } from '../access-policy/access-policy-xml.ts'
import { checkStorage } from '../endpoint/check-storage.ts'
import { isChecked } from '../endpoint/checks.ts'
import { type Operation, repeatable } from '../request/operation.ts'
import { entitySetPath, type TableAddress } from '../request/path.ts'
import { XML_BODY_HEADERS } from '../xml/write-xml.ts'

/** A table and all of its stored access policies. */
export interface TableAcl extends TableAddress {
  /** At most 5 policies; an empty array removes all. */
  readonly policies: readonly AccessPolicy[]
}

/**
 * Replaces all stored access policies of a table. It may take 30 seconds until they take effect. It
 * needs the account's key; a SAS or a token is not enough.
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
