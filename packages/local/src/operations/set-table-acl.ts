import { readSignedIdentifiers } from '../access/read-signed-identifiers.ts'
import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import type { Service } from '../service/service.ts'
import { requestedTable } from './requested-table.ts'

/** Set Table ACL: `PUT /table?comp=acl`. The policies that it gives are all there are then. */
export async function setTableAcl(service: Service, call: ServiceCall): Promise<Answer> {
  const table = await requestedTable(service, call)
  await table.setPolicies(readSignedIdentifiers(call.body))
  return { status: 204, headers: {}, body: '' }
}
