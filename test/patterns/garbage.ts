import { expect } from 'vitest'

/** Values that JavaScript callers pass by mistake. */
const GARBAGE = {
  undefined,
  null: null,
  'a number': 7,
  'a text': 'x y',
  'a boolean': true,
  'a bigint': 7n,
  'a symbol': Symbol('x'),
  'an object': {},
  'an array': [],
  'a function': () => {},
} as const

/** The name of one wrong value. */
export type Garbage = keyof typeof GARBAGE

/** One public function, and correct arguments. */
export interface Call {
  /** The function. */
  readonly name: string
  /** Calls it with some arguments. */
  readonly run: (...args: never[]) => unknown
  /** Correct arguments. */
  readonly args: readonly unknown[]
  /** The wrong values that are correct for an argument, by its place from 0. */
  readonly valid: readonly (readonly Garbage[])[]
  /** What each message names. */
  readonly names: RegExp
}

/** The values that options may be: without a name, none is wrong. */
export const OPTIONS: readonly Garbage[] = ['undefined', 'an object', 'an array']

/** Returns the call of one method. */
export function method<Target extends object>(
  target: Target,
  name: keyof Target & string,
  { args, valid, names }: Pick<Call, 'args' | 'valid' | 'names'>,
): Call {
  const run = (...given: never[]): unknown =>
    Reflect.apply(target[name] as () => unknown, target, given)
  return { name: `${target.constructor.name}.${name}`, run, args, valid, names }
}

/** Lists each call with each wrong value in each place: `get with null as argument 2`. */
export function wrongCalls(calls: readonly Call[]): readonly [title: string, wrong: WrongCall][] {
  return calls.flatMap((call) =>
    call.args.flatMap((_, at) =>
      Object.entries(GARBAGE).flatMap(([name, value]): [string, WrongCall][] => {
        if (call.valid[at]?.includes(name as Garbage)) return []
        const args = call.args.map((given, place) => (place === at ? value : given))
        return [[`${call.name} with ${name} as argument ${at + 1}`, { call, args }]]
      }),
    ),
  )
}

/** One call with a wrong argument. */
export interface WrongCall {
  readonly call: Call
  readonly args: readonly unknown[]
}

/** Checks that a call is rejected with an error that names what is wrong, and that nothing is sent. */
export async function expectRejected({ call, args }: WrongCall, sent: unknown[]): Promise<void> {
  sent.length = 0
  const error: unknown = await failureOf(() => call.run(...(args as never[])))
  expect(error).toMatchObject({
    name: expect.stringMatching(/^(?:InputError|ModelError|SchemaError)$/),
    message: expect.stringMatching(call.names),
  })
  expect(String(error)).toMatch(RULE)
  expect(sent).toEqual([])
}

/** How each message states the rule or the fix. */
const RULE =
  /must|needs?\b|has no |is not|has: |Declare|Give|Use|Write|Pass|cannot|expects|can be\b|without|Compare/

async function failureOf(run: () => unknown): Promise<unknown> {
  try {
    const result = await run()
    if (isIterable(result)) for await (const _ of result) break
  } catch (error) {
    return error
  }
  return undefined
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
