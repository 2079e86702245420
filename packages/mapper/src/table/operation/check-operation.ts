import type { InputError } from '@rowkey/odata'
import { mapperInputError } from '../../errors/codes.ts'
import { isOperation } from './execute-operation.ts'

/**
 * Says what is wrong with a value that is not an operation, or that has a type, which only the table of a union knows.
 *
 * @param given - the value
 * @param where - the call
 */
export function operationError(given: unknown, where: string): InputError {
  const { kind }: { readonly kind?: unknown } = Object(given)
  return invalid(
    isOperation({ kind })
      ? `${where}: only the table of a union accepts the type of an entity. Omit it: Operation.${kind}(…).`
      : `${where} needs an operation, such as Operation.insert(entity), or a list of operations.`,
  )
}

/**
 * Says what is wrong with a value that is not an operation that writes.
 *
 * @param given - the value
 * @param where - the call
 */
export function writeError(given: unknown, where: string): InputError {
  if (!isOperation(given)) return operationError(given, where)
  return invalid(`${where} takes writes, and got a retrieve. Use getMany to read several entities.`)
}

function invalid(message: string): InputError {
  return mapperInputError({ code: 'InvalidOptionValue', message })
}
