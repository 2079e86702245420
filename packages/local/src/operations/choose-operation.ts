import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { changeEntity } from './change-entity.ts'
import { createTable } from './create-table.ts'
import { deleteTable } from './delete-table.ts'
import { entityGroupTransaction } from './entity-group-transaction.ts'
import { getEntity } from './get-entity.ts'
import { getTable } from './get-table.ts'
import { queryEntities } from './query-entities.ts'
import { queryTables } from './query-tables.ts'
import type { ServiceOperation } from './service-operation.ts'

type Verbs = Readonly<Record<string, ServiceOperation>>

const OPERATIONS: Readonly<Record<ServiceCall['resource']['kind'], Verbs>> = {
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

/** What a call asks for. */
export function chooseOperation(call: ServiceCall): ServiceOperation {
  if (call.query.has('comp') || call.query.has('restype') || call.method === 'OPTIONS') {
    throw new ServiceFault('NotImplemented')
  }
  const verbs = OPERATIONS[call.resource.kind]
  const operation = Object.hasOwn(verbs, call.method) ? verbs[call.method] : undefined
  if (operation !== undefined) return operation
  throw new ServiceFault(call.resource.kind === 'account' ? 'InvalidUri' : 'MethodNotAllowed')
}
