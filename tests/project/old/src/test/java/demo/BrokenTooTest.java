package demo;

class BrokenTooTest extends BrokenTest {}
