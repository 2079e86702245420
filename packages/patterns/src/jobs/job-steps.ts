import { aFunction } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { printJson } from '../errors/print-json.ts'
import { aName } from '../errors/rules.ts'
import type { HeldMessage } from './held-message.ts'

/** A value as JSON holds it: a Date is text. */
export type AsJson<Value> = Value extends {
  /** Returns what `JSON.stringify` writes. */
  toJSON(): infer Json
}
  ? Json
  : Value extends object
    ? { [Name in keyof Value]: AsJson<Value[Name]> }
    : Value

/** A job as its message holds it. */
export interface StoredJob {
  readonly kind?: unknown
  readonly payload?: unknown
  /** The results of the finished steps: an array with the result, empty for `undefined`. */
  readonly steps?: Readonly<Record<string, readonly unknown[]>>
  /** In a dead letter: the text of the job. */
  readonly job?: unknown
  /** How many deliveries began before the one that finished the last step. */
  readonly since?: unknown
}

/** Reads the job of a message; another program may have sent any text. */
export function jobIn(text: string): StoredJob {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns the job of a dead letter, with the results of its finished steps. */
export function jobAgain(letter: string): string {
  const { job: sent } = jobIn(letter)
  const text = typeof sent === 'string' ? sent : letter
  const { since, ...job } = jobIn(text)
  return since === undefined ? text : JSON.stringify(job)
}

/** The steps of a job in one delivery. Their results are stored in its message. */
export class JobSteps {
  readonly #held: HeldMessage
  readonly #attempt: number
  readonly #begun = new Set<string>()

  /**
   * @param held - the message of the job
   * @param attempt - how often it was delivered
   */
  constructor(held: HeldMessage, attempt: number) {
    this.#held = held
    this.#attempt = attempt
  }

  /** How often the job was delivered since it finished a step, this time included. */
  get tries(): number {
    const { since } = jobIn(this.#held.text)
    return this.#attempt - (typeof since === 'number' && since < this.#attempt ? since : 0)
  }

  /** Runs a step, unless an earlier delivery has finished it. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<AsJson<Result>> {
    checkArgument(aName, name, 'The name of a step of a job')
    const place = `The step '${name}' of a job`
    checkArgument(aFunction, work, place)
    if (this.#begun.has(name)) throw twice(place)
    this.#begun.add(name)
    const { steps = {} } = jobIn(this.#held.text)
    // Its text came from this step.
    if (Object.hasOwn(steps, name)) return steps[name]?.[0] as AsJson<Result>
    this.#held.lost.throwIfAborted()
    const result = await work()
    const text = result === undefined ? '[]' : `[${printJson(result, `The result of ${place}`)}]`
    const stored: readonly unknown[] = JSON.parse(text)
    await this.#held.rewrite((before) => {
      const job = jobIn(before)
      const since = this.#attempt - 1
      return JSON.stringify({ ...job, steps: { ...job.steps, [name]: stored }, since })
    })
    return stored[0] as AsJson<Result>
  }
}

function twice(place: string): Error {
  return invalidPatternOption(
    `${place} runs twice in one delivery, and the second would get the result of the first. Give each step a name of its own, such as 'mail 2'.`,
  )
}
