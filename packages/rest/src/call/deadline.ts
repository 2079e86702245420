import { type Rule, rule, wholeNumber } from '@rowkey/odata'

/** A moment by which several calls must be done together. */
export interface Deadline {
  /** Milliseconds since 1970, UTC, on this machine's clock. */
  readonly endsAt: number
}

const milliseconds = wholeNumber()

/** A shared moment may be in the past; the call then reports that itself. */
function isDeadline(value: unknown): boolean {
  const { endsAt } = Object(value) as Partial<Deadline>
  return (typeof endsAt === 'number' && !Number.isNaN(endsAt)) || milliseconds.accepts(value)
}

/** The rule of a deadline. */
export const deadlineRule: Rule = rule(milliseconds.text, isDeadline)
