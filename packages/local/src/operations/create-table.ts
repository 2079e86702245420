import { printDateTime } from '@rowkey/odata'
import { checkTableName as checkName, type Flavour } from '@rowkey/rest'
import { readMembers } from '../entity/decode-properties.ts'
import { encodeTable, printTableName, printTablePath } from '../entity/encode-table.ts'
import { printETag } from '../entity/stored-entity.ts'
import { Rejection } from '../rejection/rejection.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import { checkContentType } from '../request/read-request.ts'
import { routeResource, type ServiceRequest } from '../request/service-request.ts'
import { createdResponse, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'

/** Create Table: `POST /Tables`. */
export async function createTable(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(request)
  checkContentType(request)
  const name = readMembers(request.body).TableName
  if (typeof name !== 'string') {
    throw new Rejection('InvalidInput', { text: 'The body gives no TableName.' })
  }
  checkTableName(name, request.flavour)
  await service.deletions.check(request.account, name)
  if (!(await service.store.createTable(request.account, name))) {
    throw new Rejection('TableAlreadyExists')
  }
  const { base, account, flavour } = request
  return createdResponse(request, level, {
    path: printTablePath(name),
    ...(flavour === 'cosmos' && { etag: printETag(printDateTime(service.clock.stamp())) }),
    body: () => encodeTable(name, { level, base, account, flavour }),
  })
}

const MIN_LENGTH = 3
const MAX_LENGTH = 63
const NAME = /^[A-Za-z][A-Za-z0-9]*$/

/**
 * Rejects an invalid table name.
 *
 * @throws Rejection InvalidResourceName, or OutOfRangeInput; on Cosmos DB InvalidInput
 */
export function checkTableName(name: string, flavour?: Flavour): void {
  if (flavour === 'cosmos') checkCosmosName(name)
  else checkStorageName(name)
}

function checkStorageName(name: string): void {
  if (name.toLowerCase() === 'tables') throw new Rejection('InvalidInput')
  if (!NAME.test(name)) throw new Rejection('InvalidResourceName')
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH) {
    throw new Rejection('OutOfRangeInput', {
      text: 'The specified resource name length is not within the permissible limits.',
    })
  }
}

function checkCosmosName(name: string): void {
  try {
    checkName(name, 'cosmos')
  } catch (cause) {
    throw new Rejection('InvalidInput', { cause })
  }
  const resource = routeResource(`/${printTableName(name)}`)
  if (resource.kind === 'entities' && resource.table === name) return
  throw new Rejection('InvalidInput', { text: `No path can name the table '${name}'.` })
}
