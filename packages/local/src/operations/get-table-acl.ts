import { printSignedIdentifiers } from '../access/print-signed-identifiers.ts'
import type { Answer } from '../answer/answer.ts'
import { xmlAnswer } from '../answer/xml-answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import type { Service } from '../service/service.ts'
import { requestedTable } from './requested-table.ts'

/** Get Table ACL: `GET /table?comp=acl`. */
export async function getTableAcl(service: Service, call: ServiceCall): Promise<Answer> {
  const table = await requestedTable(service, call)
  return xmlAnswer(printSignedIdentifiers(await table.policies()))
}
