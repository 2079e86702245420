/** Which of an account's two locations: where it is written, or its copy in a second region. */
export type LocationName = 'primary' | 'secondary'
