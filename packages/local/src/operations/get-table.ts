import type { Answer } from '../answer/answer.ts'
import { printContentType } from '../answer/content-type.ts'
import { metadataLevel } from '../call/metadata-level.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { encodeTable } from '../entity/encode-table.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { checkQueryOptions } from '../paging/page-options.ts'
import type { Service } from '../service/service.ts'
import { requestedName } from './requested-table.ts'

/** Query Tables at one name: `GET /Tables('name')`. */
export async function getTable(service: Service, call: ServiceCall): Promise<Answer> {
  const level = metadataLevel(call)
  checkQueryOptions(call.query)
  const table = await service.store.findTable(call.account, requestedName(call))
  if (table === undefined) throw new ServiceFault('ResourceNotFound')
  const body = encodeTable(table.name, { level, base: call.base, account: call.account })
  return { status: 200, headers: { 'content-type': printContentType(level) }, body }
}
