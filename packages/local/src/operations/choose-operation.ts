import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { changeEntity } from './change-entity.ts'
import { createTable } from './create-table.ts'
import { deleteTable } from './delete-table.ts'
import { entityGroupTransaction } from './entity-group-transaction.ts'
import { getEntity } from './get-entity.ts'
import { getServiceProperties } from './get-service-properties.ts'
import { getServiceStats } from './get-service-stats.ts'
import { getTable } from './get-table.ts'
import { getTableAcl } from './get-table-acl.ts'
import { queryEntities } from './query-entities.ts'
import { queryTables } from './query-tables.ts'
import { setServiceProperties } from './set-service-properties.ts'
import { setTableAcl } from './set-table-acl.ts'

type Verbs = Readonly<Record<string, ServiceOperation>>

const OPERATIONS: Readonly<Record<ServiceRequest['resource']['kind'], Verbs>> = {
  account: {},
  batch: { POST: entityGroupTransaction },
  tables: { GET: queryTables, POST: createTable },
  table: { GET: getTable, DELETE: deleteTable },
  entities: { GET: queryEntities, POST: changeEntity },
  entity: {
    GET: getEntity,
    PUT: changeEntity,
    MERGE: changeEntity,
    PATCH: changeEntity,
    DELETE: changeEntity,
  },
}

/** The operations that `comp` chooses; those of the account also need `restype=service`. */
const COMPONENTS: Readonly<Record<string, Verbs>> = {
  'account service properties': { GET: getServiceProperties, PUT: setServiceProperties },
  'account service stats': { GET: getServiceStats },
  'entities  acl': { GET: getTableAcl, PUT: setTableAcl },
}

/**
 * Chooses the operation of a request.
 *
 * @throws Rejection MethodNotAllowed, InvalidUri, InvalidQueryParameterValue, or NotImplemented
 */
export function chooseOperation(request: ServiceRequest): ServiceOperation {
  const verbs = verbsOf(request)
  const operation = Object.hasOwn(verbs, request.method) ? verbs[request.method] : undefined
  if (operation !== undefined) return operation
  throw new Rejection(verbs === OPERATIONS.account ? 'InvalidUri' : 'MethodNotAllowed')
}

function verbsOf({ flavour, resource, query }: ServiceRequest): Verbs {
  const component = query.get('comp')
  const type = query.get('restype')
  if (component === undefined && type === undefined) return OPERATIONS[resource.kind]
  // Cosmos DB has no properties, no statistics and no access policies.
  if (flavour === 'cosmos') throw new Rejection('NotImplemented')
  const name = `${resource.kind} ${type ?? ''} ${component ?? ''}`
  const verbs = Object.hasOwn(COMPONENTS, name) ? COMPONENTS[name] : undefined
  if (verbs === undefined) throw new Rejection('InvalidQueryParameterValue')
  return verbs
}

/** An operation: one kind of request. */
type ServiceOperation = (service: Service, request: ServiceRequest) => Promise<ServiceResponse>
