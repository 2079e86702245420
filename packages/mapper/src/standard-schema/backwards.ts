import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts'

/** A schema of zod 4 or zod mini, which can encode. */
interface ZodSchema extends StandardSchema {
  /** Missing in zod mini, whose schemas have no methods. */
  readonly safeEncode?: (value: unknown) => ZodResult
  readonly _zod: {
    run(payload: ZodPayload, context: object): ZodPayload | Promise<ZodPayload>
  }
}

interface ZodPayload {
  readonly value: unknown
  readonly issues: readonly (Partial<StandardIssue> & { readonly code?: string })[]
}

type ZodResult =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly StandardIssue[] } }

/**
 * Runs a schema backwards, from its output to its input. Schemas of zod encode; other libraries cannot,
 * so their schemas check the value as it is.
 *
 * @param schema - any schema
 * @param value - an output of the schema
 */
export function backwards(
  schema: StandardSchema,
  value: unknown,
): StandardResult<unknown> | Promise<StandardResult<unknown>> {
  if (!isZod(schema)) return schema['~standard'].validate(value)
  const result = schema.safeEncode?.(value)
  if (result !== undefined) {
    return result.success ? { value: result.data } : { issues: result.error.issues }
  }
  const outcome = schema._zod.run({ value, issues: [] }, { async: false, direction: 'backward' })
  return outcome instanceof Promise ? outcome.then(resultOf) : resultOf(outcome)
}

function isZod(schema: StandardSchema): schema is ZodSchema {
  return typeof Object((schema as Partial<ZodSchema>)._zod).run === 'function'
}

/** Messages of zod mini come from a part of zod that is not loaded here. */
function resultOf({ value, issues }: ZodPayload): StandardResult<unknown> {
  if (issues.length === 0) return { value }
  return {
    issues: issues.map(({ message, code = 'invalid', path }) => ({
      message: message ?? code,
      path,
    })),
  }
}
