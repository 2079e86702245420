import type { Answer } from '../answer/answer.ts'
import { createdAnswer } from '../answer/created-answer.ts'
import { checkContentType } from '../call/check-content-type.ts'
import { metadataLevel } from '../call/metadata-level.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { encodeTable } from '../entity/encode-table.ts'
import { readMembers } from '../entity/read-members.ts'
import { printTablePath } from '../entity/resource-url.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { checkTableName } from '../store/table-name.ts'

/** Create Table: `POST /Tables`. */
export async function createTable(service: Service, call: ServiceCall): Promise<Answer> {
  const level = metadataLevel(call)
  checkContentType(call)
  const name = readMembers(call.body).TableName
  if (typeof name !== 'string') {
    throw new ServiceFault('InvalidInput', { text: 'The body gives no TableName.' })
  }
  checkTableName(name)
  await service.deletions.check(call.account, name)
  if (!(await service.store.createTable(call.account, name))) {
    throw new ServiceFault('TableAlreadyExists')
  }
  return createdAnswer(call, level, {
    path: printTablePath(name),
    body: () => encodeTable(name, { level, base: call.base, account: call.account }),
  })
}
