import type { CodeHostParts } from './ask.ts';
import type { Answer, Contributor, Repository, User } from './types.ts';
/** Every failure is a `ProductError`. Look-ups count towards the share of the signed-in user, if named. */
export interface CodeHost {
    listUserRepositories(username: string, userId?: string): Promise<Answer<Repository[]>>;
    getUser(username: string, userId?: string): Promise<Answer<User>>;
    getRepository(owner: string, repo: string, userId?: string): Promise<Answer<Repository>>;
    listContributors(owner: string, repo: string, userId?: string): Promise<Answer<Contributor[]>>;
    listOrganizationRepositories(org: string, userId?: string): Promise<Answer<Repository[]>>;
}
export declare function createCodeHost(parts: CodeHostParts): CodeHost;
