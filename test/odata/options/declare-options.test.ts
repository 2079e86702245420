import { aFunction, anything, declareOptions, required, wholeNumber } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

interface Options {
  readonly attempts?: number | undefined
  readonly provide: () => void
  readonly other?: unknown
}

const options = declareOptions<Options>({
  attempts: wholeNumber(1, 10),
  provide: required(aFunction),
  other: anything,
})
const provide = () => {}

const rejected = (given: unknown) => {
  try {
    options.check(given as Options, 'retrying')
  } catch (error) {
    return error
  }
  return expect.fail('the options were accepted')
}

describe('declareOptions', () => {
  it('accepts valid values, and absent ones', () => {
    for (const given of [{ provide }, { provide, attempts: undefined }, { provide, other: null }]) {
      expect(() => options.check(given, 'retrying')).not.toThrow()
    }
  })

  it('names the unknown option, the place and the known ones', () => {
    expect(rejected({ provide, atempts: 1 })).toMatchObject({
      name: 'InputError',
      code: 'UnknownOption',
      message: "retrying has no option 'atempts'. Its options are: attempts, provide, other.",
      details: { option: 'atempts' },
    })
  })

  it('says that a call has no options', () => {
    const none = declareOptions<object>({})
    expect(() => none.check({ etag: '*' }, 'Operation.insert')).toThrow(
      /^Operation\.insert has no option 'etag'\. It has no options\.$/,
    )
  })

  it.each(['toString', '__proto__', 'constructor'])(
    'rejects %s, which every object has',
    (name) => {
      const given = Object.defineProperty({ provide }, name, { value: 1, enumerable: true })
      expect(rejected(given)).toMatchObject({ code: 'UnknownOption' })
    },
  )

  it('names the option, the place, the rule and the value', () => {
    expect(rejected({ provide, attempts: 11 })).toMatchObject({
      name: 'InputError',
      code: 'InvalidOptionValue',
      message: 'attempts of retrying must be a whole number from 1 to 10; got 11.',
      details: { option: 'attempts' },
    })
  })

  it.each([{}, { provide: undefined }])('rejects %o, without a required option', (given) => {
    expect(rejected(given)).toMatchObject({
      message: 'provide of retrying must be a function; got undefined.',
    })
  })

  it.each([null, undefined, 7, 'provide'])('rejects %j, which is not an object', (given) => {
    expect(rejected(given)).toMatchObject({
      code: 'InvalidOptionValue',
      message: 'The options of retrying must be an object.',
    })
  })

  it('throws the error of a caller with a code of its own', () => {
    const own = declareOptions<{ readonly a?: number }>(
      { a: wholeNumber() },
      (message, option) => new RangeError(`${option}: ${message}`),
    )
    expect(() => own.check({ a: 0 }, 'x')).toThrow(/^a: a of x must be a whole number from 1/)
  })

  it('lists the names, and hands out the rules for more options', () => {
    expect(options.names).toEqual(['attempts', 'provide', 'other'])
    const more = declareOptions<Options & { readonly delay?: number }>({
      ...options.rules,
      delay: wholeNumber(0),
    })
    expect(() => more.check({ provide, delay: -1 }, 'x')).toThrow('delay of x')
    expect(() => more.check({ provide, attempts: 0 }, 'x')).toThrow('attempts of x')
  })

  it('does not compile without a rule for an option, or with a rule for an unknown one', () => {
    // @ts-expect-error -- `provide` and `other` have no rule
    declareOptions<Options>({ attempts: wholeNumber() })
    // @ts-expect-error -- `delay` is not an option
    declareOptions<Options>({ ...options.rules, attempts: anything, delay: anything })
  })
})
