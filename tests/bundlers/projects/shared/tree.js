/** The tree that pages and servers mount. */
export const TREE = { "README.md": "# Hi\n", "src/app.py": "print('hello')\n" };
