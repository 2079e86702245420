/**
 * A stored access policy of a table: what every SAS that names its id may do, and when. Changing or
 * removing the policy changes or revokes all of them, within 30 seconds.
 */
export interface AccessPolicy {
  /**
   * The id that a SAS names: 1 to 64 characters, unlike those of the table's other policies. Never
   * use a revoked id again, or its old SAS come back to life: a date in the id helps.
   */
  readonly id: string
  /** From when on, UTC; when absent, the SAS may say. */
  readonly start?: Date | undefined
  /** Until when, UTC; when absent, the SAS must say. */
  readonly expiry?: Date | undefined
  /**
   * What is allowed, by letters: `r` query, `a` add, `u` update, `d` delete. When absent, the SAS
   * must say.
   */
  readonly permissions?: string | undefined
}

/** The most policies of one table. */
export const MOST_POLICIES = 5

/** The most characters of a policy's id. */
export const LONGEST_POLICY_ID = 64
