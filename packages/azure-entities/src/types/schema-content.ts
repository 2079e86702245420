import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { entitiesInputError } from '../errors/codes.ts'
import { type Content, jsonContent } from './content.ts'

/**
 * Makes the content of JSON that a JSON Schema (draft 7) describes. It checks values when they are written,
 * and adds the defaults of the schema to the value. Values that are read are not checked.
 *
 * @param schema - the JSON Schema
 * @throws InputError (`InvalidConfiguration`) for an invalid schema
 */
export function schemaContent(schema: object): Content<unknown> {
  const validate = compile(schema)
  return {
    ...jsonContent,
    check(value, property) {
      jsonContent.check(value, property)
      if (validate(value)) return
      throw entitiesInputError(
        'InvalidValue',
        `Property "${property}": schema validation failed: ${(validate.errors ?? []).map(describe).join('; ')}.`,
        property,
      )
    },
  }
}

type Validate = ReturnType<Ajv['compile']>

function compile(schema: object): Validate {
  // As ajv 6, which that library uses: unknown keywords and formats are ignored.
  const ajv = new Ajv({ useDefaults: true, strict: false, logger: false })
  formats.default(ajv, { mode: 'fast' })
  try {
    return ajv.compile(schema)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw entitiesInputError('InvalidConfiguration', `The JSON Schema is invalid: ${reason}.`)
  }
}

const describe = ({ instancePath, message = 'is invalid' }: ErrorObject): string =>
  `data${instancePath} ${message}`
