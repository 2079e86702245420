import { Rejection } from '../rejection/rejection.ts'
import { isComponent, type OperationName } from '../request/operation-name.ts'
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

/** All but the writes of one entity, which are all {@link changeEntity}. */
const OPERATIONS: { readonly [Name in OperationName]?: ServiceOperation } = {
  createTable,
  deleteTable,
  entityGroupTransaction,
  getEntity,
  getServiceProperties,
  getServiceStats,
  getTable,
  getTableAcl,
  queryEntities,
  queryTables,
  setServiceProperties,
  setTableAcl,
}

/**
 * Chooses the operation of a request.
 *
 * @throws Rejection MethodNotAllowed, InvalidUri, InvalidQueryParameterValue, or NotImplemented
 */
export function chooseOperation(request: ServiceRequest): ServiceOperation {
  checkComponent(request)
  const { operation, resource, query } = request
  if (operation !== undefined) return OPERATIONS[operation] ?? changeEntity
  const isNothing = resource.kind === 'account' && !query.has('comp')
  throw new Rejection(isNothing ? 'InvalidUri' : 'MethodNotAllowed')
}

/** Rejects an unknown `comp`. Those of the account also need `restype=service`. */
function checkComponent({ flavour, resource: { kind }, query }: ServiceRequest): void {
  const component = query.get('comp')
  const type = query.get('restype')
  if (component === undefined && type === undefined) return
  // Cosmos DB has no properties, no statistics and no access policies.
  if (flavour === 'cosmos') throw new Rejection('NotImplemented')
  const neededType = kind === 'account' ? 'service' : undefined
  if (component === undefined || type !== neededType || !isComponent(kind, component)) {
    throw new Rejection('InvalidQueryParameterValue')
  }
}

/** An operation: one kind of request. */
type ServiceOperation = (service: Service, request: ServiceRequest) => Promise<ServiceResponse>
